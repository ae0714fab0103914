"""The tests of gdl and ggp; their folders mirror the packages."""
