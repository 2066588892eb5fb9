"""`python -m brand_visibility` is the command line."""

from brand_visibility.cli import main

main()
