import { useSuspenseQuery } from '@tanstack/react-query'
import type { Me } from '../../src/contract/me.ts'
import { meQuery } from './me.ts'

export type Right = Me['rights'][number]

/** Whether the role of who is signed in has one of these rights; what it lacks is not offered. */
export function useMay(...rights: readonly Right[]): boolean {
  const { data: me } = useSuspenseQuery(meQuery)
  return rights.some((right) => me.rights.includes(right))
}
