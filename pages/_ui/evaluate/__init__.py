"""What the pages of Evaluate show: classifiers of a class, and studies of whole collections."""
