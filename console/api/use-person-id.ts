import { useQuery } from '@tanstack/react-query'
import { meQuery } from './me.ts'
import { seeingNow } from './seeing.ts'

/** The account whose person is at this browser, also while they see the console of another; null: it is not known. */
export function usePersonId(): string | null {
  // Pages without sign-in do not ask who it is.
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  return seeingNow()?.viewerId ?? me?.id ?? null
}
