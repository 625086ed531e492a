"""Every workaround for Streamlit, each with the behaviour, the version seen, and what would let one delete it."""
