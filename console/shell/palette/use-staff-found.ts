import { useNavigate } from '@tanstack/react-router'
import { useStaffSearch, type StaffFound } from '../../api/staff-search.ts'
import { useMay } from '../../api/use-may.ts'
import { ADMIN_PATHS } from '../../admin-pages.ts'
import type { IconName } from '../../ui/icon.tsx'
import type { Command, StaffPart } from './command.ts'

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
export function useStaffFound(
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
