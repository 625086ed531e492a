"""What a server of the app needs and no study does: background jobs, the history of training runs, cells on demand."""
