// Not applicable: tools write no state.
