"""What studies and service both stand on: databases, processes, the disk cache, a cache in memory."""
