import type { ADMIN_PATHS } from '../../admin-paths.ts'
import type { IconName } from '../../ui/icon.tsx'

interface AdminGroup {
  readonly name: 'operate' | 'catalogue' | 'people' | 'system'
  readonly pages: readonly AdminPage[]
}

interface AdminPage {
  readonly name: AdminPageName
  readonly icon: IconName
}

export type AdminGroupName = AdminGroup['name']
export type AdminPageName = Extract<keyof typeof ADMIN_PATHS, 'operations' | 'upstreams' | 'accounts' | 'audit'>

/** The pages of admins as the navigation shows them: only those that are there. */
export const ADMIN_GROUPS: readonly AdminGroup[] = [
  { name: 'operate', pages: [{ name: 'operations', icon: 'shield' }] },
  { name: 'catalogue', pages: [{ name: 'upstreams', icon: 'globe' }] },
  { name: 'people', pages: [{ name: 'accounts', icon: 'account' }] },
  { name: 'system', pages: [{ name: 'audit', icon: 'clock' }] },
]
