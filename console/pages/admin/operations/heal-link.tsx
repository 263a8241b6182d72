import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AttentionItemView } from '../../../../src/contract/attention.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { systemQuery } from '../../../api/system-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { type PageTexts, useTexts } from '../../../dictionaries/texts.ts'
import { PATHS } from '../../../paths.ts'
import { buttonClass } from '../../../ui/button.tsx'

type Way = LinkProps & { readonly name: keyof PageTexts['operations']['open'] }

/** Links to where an item is healed, as its one button. */
export function HealLink({ item }: { readonly item: AttentionItemView }): ReactNode {
  const t = useTexts('operations').open
  const mayAdd = useMay('catalogue')
  if (item.kind === 'backup_old') return <BackupLink />
  const way = wayOf(item, mayAdd)
  if (way === null) return null
  const { name, ...link } = way
  return (
    <Link {...link} className={buttonClass('secondary')}>
      {t[name]}
    </Link>
  )
}

const OF_UPSTREAMS: readonly string[] = [
  'credential_held',
  'renewal_failing',
  'spend_cap',
  'no_credential',
  'model_failing',
]
const OF_LISTS: readonly string[] = ['models_added', 'models_gone']

/** The page on which an item is healed; null: there is none. `mayAdd`: whether the reader may add models. */
function wayOf(item: AttentionItemView, mayAdd: boolean): Way | null {
  const { kind, model, upstream } = item
  if (upstream !== null && (OF_UPSTREAMS.includes(kind) || OF_LISTS.includes(kind))) {
    const compares = OF_LISTS.includes(kind) && mayAdd
    return {
      name: compares ? 'compare' : 'upstream',
      to: ADMIN_PATHS.upstream,
      params: { upstreamId: upstream.id },
      ...(compares ? { search: { compare: 'models' } } : {}),
    }
  }
  if (item.way !== null) return { name: 'alerts', to: ADMIN_PATHS.settings }
  if (item.sign_ins !== null) {
    return { name: 'audit', to: ADMIN_PATHS.audit, search: { action: 'sign_in.', address: item.sign_ins.address } }
  }
  if (item.order !== null) return { name: 'orders', to: ADMIN_PATHS.plans }
  const ofMachine = [item.disk, item.store, item.clock, item.node]
  if (kind === 'redis_down' || ofMachine.some((part) => part !== null))
    return { name: 'system', to: ADMIN_PATHS.system }
  if (item.account !== null) return { name: 'account', to: ADMIN_PATHS.account, params: { accountId: item.account.id } }
  if (model === null) return null
  if (kind !== 'model_unknown') {
    // Where its price and targets are set, and not the page on which it is called.
    return { name: 'model', to: ADMIN_PATHS.prices, search: { q: model } }
  }
  if (mayAdd) return { name: 'addModel', to: ADMIN_PATHS.prices, search: { new: 'model', name: model } }
  return { name: 'models', to: PATHS.models, search: {} }
}

/** Where the gateway makes the backups, one is made there at once; where another program does, that page says so. */
function BackupLink(): ReactNode {
  const t = useTexts('operations').open
  const isAdmin = useMay('admin')
  const { data: system } = useQuery(systemQuery)
  const isMadeHere = system !== undefined && system.backups.directory !== null
  return (
    <Link to={ADMIN_PATHS.system} className={buttonClass('secondary')}>
      {isAdmin && isMadeHere ? t.backup : t.system}
    </Link>
  )
}
