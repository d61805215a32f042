// Not applicable: without a model an agent has the provider's default.
