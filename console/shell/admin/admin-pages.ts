import { ADMIN_PATHS } from '../../admin-paths.ts'
import type { IconName } from '../../ui/icon.tsx'

export const ADMIN_GROUPS = [
  { name: 'operate', pages: [{ name: 'operations', icon: 'shield' }] },
] as const satisfies readonly AdminGroup[]

interface AdminGroup {
  readonly name: string
  readonly pages: readonly { readonly name: keyof typeof ADMIN_PATHS; readonly icon: IconName }[]
}

export type AdminGroupName = (typeof ADMIN_GROUPS)[number]['name']
export type AdminPageName = (typeof ADMIN_GROUPS)[number]['pages'][number]['name']
