"""Tables and pages for people, from the tables of the lake."""
