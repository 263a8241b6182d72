/** How long an old secret goes on working after a rotation, in seconds, as it is offered. */
export const OVERLAPS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const

export type OverlapName = keyof typeof OVERLAPS
