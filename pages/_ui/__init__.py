"""What the pages share: the selection, loading, the plot component, the training runs. Streamlit lives here, not the method."""
