import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { makeResetLink, setAccountStatus } from '../../../api/accounts.ts'
import { accountsDictionary } from '../../../dictionaries/accounts.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { ShownLink } from './one-time-link.tsx'

const AddCredit = lazyPart(() => import('./add-credit.tsx'))

/** Credit, a sign-in link, and disabling; the server asks for credentials again before the last two. */
export function AccountActions({ account }: { readonly account: AccountView }): ReactNode {
  const t = accountsDictionary.useTexts()
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  const problemText = useProblemText()
  const [asked, setAsked] = useState<'credit' | 'disable' | null>(null)
  const onError = (error: unknown): void => toast({ text: problemText(error), tone: 'bad' })
  const link = useMutation({ gcTime: 0, mutationFn: () => guarded(() => makeResetLink(account.id)), onError })
  const status = useMutation({
    mutationFn: (wish: AccountView['status']) => guarded(() => setAccountStatus(account.id, wish)),
    onError,
    onSettled: () => {
      setAsked(null)
      return queries.invalidateQueries({ queryKey: ['accounts'] })
    },
  })
  return (
    <>
      <Button look="primary" onClick={() => setAsked('credit')}>
        {t.credit.action}
      </Button>
      <Button isBusy={link.isPending} onClick={() => link.mutate()}>
        {t.reset}
      </Button>
      {account.status === 'active' ? (
        <Button onClick={() => setAsked('disable')}>{t.disable}</Button>
      ) : (
        <Button isBusy={status.isPending} onClick={() => status.mutate('active')}>
          {t.enable}
        </Button>
      )}
      {asked === 'credit' && <AddCredit account={account} onClose={() => setAsked(null)} />}
      <ConfirmDialog
        isOpen={asked === 'disable'}
        title={t.disabling.title(account.email)}
        action={t.disable}
        isDangerous
        isBusy={status.isPending}
        onConfirm={() => status.mutate('disabled')}
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
