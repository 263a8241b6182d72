import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { MOST_NAMES, useBulkChange } from './use-bulk-change.tsx'

const CreditMany = lazyPart(() => import('./credit-many.tsx'))
const BulkForm = lazyPart(() => import('./bulk-forms.tsx'))

type Asked = 'disable' | 'credit' | 'limits' | 'groups'

/** What can be done with several accounts at once. */
export default function BulkAccounts(props: { readonly accounts: readonly AccountView[]; onDone(): void }): ReactNode {
  const texts = useTexts('accounts')
  const t = texts.bulk
  const { accounts } = props
  const mayChange = useMay('admin')
  const mayCredit = useMay('books')
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const { change, isPending, dialog } = useBulkChange(accounts, () => {
    close()
    props.onDone()
  })
  const become = (status: AccountView['status']): void =>
    change((account) => (account.status === status ? null : { status }))
  return (
    <>
      {mayCredit && (
        <Button icon="billing" onClick={() => setAsked('credit')}>
          {texts.credit.action}
        </Button>
      )}
      {mayChange && (
        <>
          <Button onClick={() => setAsked('limits')}>{t.limits.action}</Button>
          <Button onClick={() => setAsked('groups')}>{t.groups.action}</Button>
          <Button icon="play" isBusy={isPending && asked === null} onClick={() => become('active')}>
            {texts.enable}
          </Button>
          <Button icon="pause" onClick={() => setAsked('disable')}>
            {texts.disable}
          </Button>
        </>
      )}
      {asked === 'credit' && <CreditMany emails={accounts.map(({ email }) => email)} onClose={close} />}
      {(asked === 'limits' || asked === 'groups') && (
        <BulkForm of={asked} accounts={accounts} isBusy={isPending} onChange={change} onClose={close} />
      )}
      <ConfirmDialog
        isOpen={asked === 'disable'}
        title={t.disableTitle(accounts.length)}
        action={texts.disable}
        isDangerous
        isBusy={isPending}
        onConfirm={() => become('disabled')}
        onClose={close}
      >
        <ul className="mb-2 font-medium text-ink">
          {accounts.slice(0, MOST_NAMES).map((account) => (
            <li key={account.id} className="[overflow-wrap:anywhere]">
              {account.email}
            </li>
          ))}
          {accounts.length > MOST_NAMES && <li>{t.andMore(accounts.length - MOST_NAMES)}</li>}
        </ul>
        <p>{t.disableText}</p>
      </ConfirmDialog>
      {dialog}
    </>
  )
}
