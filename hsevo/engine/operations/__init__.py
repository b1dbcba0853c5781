"""What the rows of card texts do, a module for each group, and the loop that resolves them."""
