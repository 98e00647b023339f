"""The cookbook: questions that evaluators ask, and their answers on a warehouse."""
