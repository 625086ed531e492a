"""What studies and the app's service both stand on: databases, processes, the disk cache, a bounded memory cache."""
