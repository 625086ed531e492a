"""What the pages share: the selection, loading, figures, background runs. Streamlit lives here, the method does not."""
