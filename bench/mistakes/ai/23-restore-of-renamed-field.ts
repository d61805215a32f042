// Not applicable: there is no API to store state.
