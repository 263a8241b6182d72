import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { groupsQuery } from '../../api/groups.ts'
import { keyQuery } from '../../api/keys.ts'
import { openVisit, type PlaygroundReach, type PlaygroundVisit } from '../../api/playground-key.ts'

/** The most groups that a key may fall back to. */
const MOST_GROUPS = 10

/** The key of this visit, which is made with the first question and deleted when the page is left. */
export function usePlaygroundKey(keyId: string | undefined): {
  /** What it may call; null: not known yet; `none`: no group is open. */
  readonly reach: PlaygroundReach | 'none' | null
  /** The name of the key whose groups and models the playground has. */
  readonly keyName: string | null
  ask: PlaygroundVisitAsk
} {
  const { reach, keyName } = useReach(keyId)
  const visit = useRef<PlaygroundVisit | null>(null)
  useEffect(() => {
    const opened = openVisit(Date.now)
    visit.current = opened
    return () => opened.leave()
  }, [keyId])
  const ask: PlaygroundVisitAsk = async (send) => {
    if (reach !== null && reach !== 'none') await visit.current?.ask(reach, send)
  }
  return { reach, keyName, ask }
}

type PlaygroundVisitAsk = (send: (secret: string) => Promise<boolean>) => Promise<void>

/** The groups and models of the key in the address, or every group that the account may use, `default` before others as on new keys. */
function useReach(keyId: string | undefined): {
  readonly reach: PlaygroundReach | 'none' | null
  readonly keyName: string | null
} {
  const groups = useQuery(groupsQuery).data?.data
  const key = useQuery({ ...keyQuery(keyId ?? ''), enabled: keyId !== undefined }).data
  if (key != null) {
    const { group, fallback_groups: fallback, allowed_models: allowed } = key
    return { reach: { group, fallback_groups: fallback, allowed_models: allowed }, keyName: key.name }
  }
  if (groups === undefined || (keyId !== undefined && key === undefined)) return { reach: null, keyName: null }
  const names = groups.filter(({ enabled, usable }) => enabled && usable).map(({ name }) => name)
  const first = names.find((name) => name === 'default') ?? names[0]
  if (first === undefined) return { reach: 'none', keyName: null }
  const others = names.filter((name) => name !== first).slice(0, MOST_GROUPS)
  return { reach: { group: first, fallback_groups: others, allowed_models: [] }, keyName: null }
}
