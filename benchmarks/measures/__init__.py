"""What a day's figures cost: CPU and memory, as the day grows."""
