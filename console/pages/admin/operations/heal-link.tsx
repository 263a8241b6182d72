import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AttentionItemView } from '../../../../src/contract/attention.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { systemQuery } from '../../../api/system-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { PATHS } from '../../../paths.ts'
import { buttonClass } from '../../../ui/button.tsx'

const OF_UPSTREAMS: readonly string[] = ['credential_held', 'spend_cap', 'no_credential', 'model_failing']
const OF_LISTS: readonly string[] = ['models_added', 'models_gone']

/** Links to where an item is healed, as its one button. */
export function HealLink({ item }: { readonly item: AttentionItemView }): ReactNode {
  const t = useTexts('operations').open
  const mayAdd = useMay('catalogue')
  if (OF_UPSTREAMS.includes(item.kind) && item.upstream !== null) {
    return (
      <Link to={ADMIN_PATHS.upstream} params={{ upstreamId: item.upstream.id }} className={buttonClass('secondary')}>
        {t.upstream}
      </Link>
    )
  }
  if (OF_LISTS.includes(item.kind) && item.upstream !== null) {
    const search = mayAdd ? { compare: 'models' } : {}
    return (
      <Link
        to={ADMIN_PATHS.upstream}
        params={{ upstreamId: item.upstream.id }}
        search={search}
        className={buttonClass('secondary')}
      >
        {mayAdd ? t.compare : t.upstream}
      </Link>
    )
  }
  if (item.kind === 'backup_old') return <BackupLink />
  if (item.way !== null) {
    return (
      <Link to={ADMIN_PATHS.settings} className={buttonClass('secondary')}>
        {t.alerts}
      </Link>
    )
  }
  if (item.sign_ins !== null) {
    const search = { action: 'sign_in.', address: item.sign_ins.address }
    return (
      <Link to={ADMIN_PATHS.audit} search={search} className={buttonClass('secondary')}>
        {t.audit}
      </Link>
    )
  }
  if (item.order !== null) {
    return (
      <Link to={ADMIN_PATHS.plans} className={buttonClass('secondary')}>
        {t.orders}
      </Link>
    )
  }
  const isOfMachine =
    item.disk !== null || item.store !== null || item.clock !== null || item.node !== null || item.kind === 'redis_down'
  if (isOfMachine) return <SystemLink>{t.system}</SystemLink>
  if (item.account !== null) {
    return (
      <Link to={ADMIN_PATHS.account} params={{ accountId: item.account.id }} className={buttonClass('secondary')}>
        {t.account}
      </Link>
    )
  }
  if (item.model === null) return null
  if (item.kind === 'model_unknown' && mayAdd) {
    return (
      <Link to={ADMIN_PATHS.prices} search={{ new: 'model', name: item.model }} className={buttonClass('secondary')}>
        {t.addModel}
      </Link>
    )
  }
  if (item.kind === 'model_unknown') {
    return (
      <Link to={PATHS.models} search={{}} className={buttonClass('secondary')}>
        {t.models}
      </Link>
    )
  }
  // Where its price and targets are set, and not the page on which it is called.
  return (
    <Link to={ADMIN_PATHS.prices} search={{ q: item.model }} className={buttonClass('secondary')}>
      {t.model}
    </Link>
  )
}

function SystemLink({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Link to={ADMIN_PATHS.system} className={buttonClass('secondary')}>
      {children}
    </Link>
  )
}

/** Where the gateway makes the backups, one is made there at once; where another program does, that page says so. */
function BackupLink(): ReactNode {
  const t = useTexts('operations').open
  const isAdmin = useMay('admin')
  const { data: system } = useQuery(systemQuery)
  const isMadeHere = system !== undefined && system.backups.directory !== null
  return <SystemLink>{isAdmin && isMadeHere ? t.backup : t.system}</SystemLink>
}
