"""Training runs as pages see them: started, followed, found again."""
