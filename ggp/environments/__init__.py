"""Environments for reinforcement learning: any rulesheet as Gymnasium, PettingZoo or OpenSpiel."""
