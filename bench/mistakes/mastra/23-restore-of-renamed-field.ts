// Not applicable: what tools keep in the request context is not stored; working memory is a text that the model writes.
