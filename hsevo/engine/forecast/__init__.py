"""What an action would do, without making it: exact where nothing answers the action."""
