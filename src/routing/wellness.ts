/**
 * Counts how often a target or a credential of this process became well or ill. A list that is sorted by that is sorted again when
 * this has changed; of which upstream it was makes no difference, since it is rare beside requests.
 */
export const wellness = { changes: 0 }
