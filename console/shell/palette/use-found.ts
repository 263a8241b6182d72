import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ADMIN_PATHS } from '../../admin-pages.ts'
import { keysQuery } from '../../api/keys.ts'
import { modelsQuery } from '../../api/models.ts'
import { type StaffFound, useStaffSearch } from '../../api/staff-search.ts'
import { useMay } from '../../api/use-may.ts'
import { PATHS } from '../../paths.ts'
import type { Command, StaffPart } from './command.ts'
import type { IconName } from '../../ui/icon.tsx'

const TYPING_MS = 150
/** The most results of each kind; the page has all of them. */
const MOST_FOUND = 6

/**
 * The reader's keys and models of these words, and for those who run the place the objects of everyone. Empty words: none. The
 * server is asked once the typing pauses.
 */
export function useFound(words: string): { readonly commands: readonly Command[]; readonly isSearching: boolean } {
  const navigate = useNavigate()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words), TYPING_MS)
    return () => clearTimeout(timer)
  }, [words])
  const keys = useQuery({
    ...keysQuery({ limit: MOST_FOUND, sort: 'last_used_at', order: 'desc', search: asked }),
    enabled: asked !== '',
  })
  const models = useQuery({ ...modelsQuery, enabled: asked !== '' })
  const isStaff = useMay('staff')
  const ofAll = useStaffFound(asked, new Set((keys.data?.data ?? []).map(({ id }) => id)))
  if (words === '') return { commands: [], isSearching: false }
  const isOld = asked !== words || keys.isPlaceholderData
  const fits = (name: string): boolean => name.toLowerCase().includes(words.toLowerCase())
  const named = (models.data ?? []).filter(({ name }) => fits(name)).slice(0, MOST_FOUND)
  return {
    isSearching: isOld || keys.isFetching || models.isPending || ofAll.isSearching,
    commands: [
      ...(keys.data?.data ?? [])
        // Until the answer is here, of the one before only what still fits.
        .filter((key) => !isOld || fits(key.name))
        .map((key): Command => ({
          ...ofPart('keys', key.id, key.name),
          icon: 'key',
          detail: `${key.secret_start}…${key.secret_end}`,
          run: () => void navigate({ to: PATHS.key, params: { keyId: key.id } }),
        })),
      ...named.map(({ name }): Command => ({
        ...ofPart('models', name, name),
        icon: 'models',
        run: () => void navigate({ to: PATHS.models, search: { model: name } }),
      })),
      // Until the answer is here, of the one before only what still fits.
      ...ofAll.commands.filter(({ label, detail = '' }) => asked === words || fits(label) || fits(detail)),
      ...(isStaff ? named : []).map(({ id, name }): Command => ({
        ...ofPart('prices', id, name),
        icon: 'billing',
        run: () => void navigate({ to: ADMIN_PATHS.price, params: { modelId: id } }),
      })),
    ],
  }
}

function ofPart(part: 'keys' | 'models' | 'prices', id: string, label: string): Omit<Command, 'icon' | 'run'> {
  return { id: `${part}-${id}`, part, label, names: [label], words: [], focus: 'page' }
}

type Navigate = ReturnType<typeof useNavigate>

const KINDS: Readonly<
  Record<StaffFound['kind'], { part: StaffPart; icon: IconName; go(navigate: Navigate, found: StaffFound): unknown }>
> = {
  account: {
    part: 'accounts',
    icon: 'account',
    go: (navigate, { id }) => navigate({ to: ADMIN_PATHS.account, params: { accountId: id } }),
  },
  key: {
    part: 'accountKeys',
    icon: 'key',
    go: (navigate, { accountId = '', name }) =>
      navigate({ to: ADMIN_PATHS.account, params: { accountId }, search: { tab: 'keys', q: name } }),
  },
  upstream: {
    part: 'upstreams',
    icon: 'globe',
    go: (navigate, { id }) => navigate({ to: ADMIN_PATHS.upstream, params: { upstreamId: id } }),
  },
  group: {
    part: 'groups',
    icon: 'filter',
    go: (navigate, { name }) => navigate({ to: ADMIN_PATHS.groups, search: { q: name } }),
  },
  plan: {
    part: 'plans',
    icon: 'billing',
    go: (navigate, { name }) => navigate({ to: ADMIN_PATHS.plans, search: { q: name } }),
  },
}

/**
 * What the server found among the objects of everyone: accounts, their keys, upstreams, groups and plans. None without
 * words, and none for a reader without the right to see them. `own`: IDs of keys that are listed as the reader's already.
 */
function useStaffFound(
  words: string,
  own: ReadonlySet<string>,
): { readonly commands: readonly Command[]; readonly isSearching: boolean } {
  const isStaff = useMay('staff')
  const navigate = useNavigate()
  const { found, isSearching } = useStaffSearch(isStaff ? words : '')
  return {
    isSearching,
    commands: found
      .filter(({ kind, id }) => kind !== 'key' || !own.has(id))
      .map((one): Command => {
        const { part, icon, go } = KINDS[one.kind]
        return {
          id: `${part}-${one.id}`,
          part,
          icon,
          label: one.name,
          ...(one.detail === '' ? {} : { detail: one.detail }),
          names: [one.name],
          words: [one.detail],
          focus: 'page',
          run: () => void go(navigate, one),
        }
      }),
  }
}
