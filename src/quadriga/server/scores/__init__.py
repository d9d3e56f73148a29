"""What finished games add up to: results, ratings, and what is made of them."""
