"""The rules of Ur: `ben` and `classic` where a marker may go, `opening` who starts, `turn` what follows."""
