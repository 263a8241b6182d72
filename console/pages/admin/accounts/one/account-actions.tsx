import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { changeAccount, makeResetLink } from '../../../../api/accounts.ts'
import { meQuery } from '../../../../api/me.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useProblemText } from '../../../../dictionaries/problem-text.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useVersionedEdit } from '../../../../forms/use-versioned-edit.tsx'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../../ui/dialog.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { useToast } from '../../../../ui/toasts.tsx'
import { ChangeRole } from '../change-role.tsx'
import { ShownLink } from '../one-time-link.tsx'

const AddCredit = lazyPart(() => import('../add-credit.tsx'))
const CloseAccount = lazyPart(() => import('./close-account.tsx'))
const SeeAs = lazyPart(() => import('../see-as.tsx'))

/** Credit, a sign-in link, and disabling; the server asks for credentials again before the last two. */
export function AccountActions({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('accounts')
  const { closing } = useTexts('oneAccount')
  const { data: me } = useQuery(meQuery)
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  const mayCredit = useMay('books')
  const mayChange = useMay('admin')
  const problemText = useProblemText()
  const [asked, setAsked] = useState<'credit' | 'disable' | 'see' | 'close' | null>(null)
  const onError = (error: unknown): void => toast({ text: problemText(error), tone: 'bad' })
  const link = useMutation({ gcTime: 0, mutationFn: () => guarded(() => makeResetLink(account.id)), onError })
  const status = useVersionedEdit<AccountView['status']>({
    version: account.version,
    send: (next, version) => guarded(() => changeAccount(account.id, { status: next }, version)),
    onSettled: () => {
      setAsked(null)
      void queries.invalidateQueries({ queryKey: ['accounts'] })
    },
  })
  return (
    <>
      {mayCredit && (
        <Button look="primary" onClick={() => setAsked('credit')}>
          {t.credit.action}
        </Button>
      )}
      {mayChange && !account.closed && (
        <>
          {account.role === 'user' && <Button onClick={() => setAsked('see')}>{t.seeAs.action}</Button>}
          <ChangeRole account={account} />
          <Button isBusy={link.isPending} onClick={() => link.mutate()}>
            {t.reset}
          </Button>
          {account.status === 'active' ? (
            <Button onClick={() => setAsked('disable')}>{t.disable}</Button>
          ) : (
            <Button isBusy={status.isPending} onClick={() => status.press('active')}>
              {t.enable}
            </Button>
          )}
          {!account.managed && me?.id !== account.id && (
            <Button look="danger" onClick={() => setAsked('close')}>
              {closing.action}
            </Button>
          )}
        </>
      )}
      {status.dialog}
      {asked === 'credit' && <AddCredit account={account} onClose={() => setAsked(null)} />}
      {asked === 'close' && <CloseAccount account={account} onClose={() => setAsked(null)} />}
      {asked === 'see' && <SeeAs account={account} onClose={() => setAsked(null)} />}
      <ConfirmDialog
        isOpen={asked === 'disable'}
        title={t.disabling.title(account.email)}
        action={t.disable}
        isDangerous
        isBusy={status.isPending}
        onConfirm={() => status.press('disabled')}
        onClose={() => setAsked(null)}
      >
        {t.disabling.text}
      </ConfirmDialog>
      <Dialog isOpen={link.data !== undefined} size="small" title={t.link.title} onClose={link.reset}>
        {link.data !== undefined && <ShownLink link={link.data} />}
      </Dialog>
    </>
  )
}
