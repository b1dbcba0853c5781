"""What the commands do, as functions and objects; `import hsevo` offers them."""
