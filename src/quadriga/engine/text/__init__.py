"""Text for people: catalogues (messages in English and French), canvas (boards in the terminal), svg (pictures)."""
