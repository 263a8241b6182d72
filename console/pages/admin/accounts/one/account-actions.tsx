import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { changeAccount, makeResetLink } from '../../../../api/accounts.ts'
import { meQuery } from '../../../../api/me.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useProblemText } from '../../../../dictionaries/problem-text.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useVersionedEdit } from '../../../../forms/use-versioned-edit.tsx'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../../ui/dialog.tsx'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { useToast } from '../../../../ui/toasts.tsx'
import type { MenuRow } from '../../kit/menu-rows.tsx'
import { ShownLink } from '../one-time-link.tsx'

const MenuRows = lazyPart(() => import('../../kit/menu-rows.tsx'))
const dialogs = () => import('./account-dialogs.tsx')
const DIALOGS = {
  credit: lazyPart(async () => ({ default: (await dialogs()).AddCredit })),
  see: lazyPart(async () => ({ default: (await dialogs()).SeeAs })),
  role: lazyPart(async () => ({ default: (await dialogs()).ChangeRole })),
  close: lazyPart(async () => ({ default: (await dialogs()).CloseAccount })),
} as const

type Asked = keyof typeof DIALOGS | 'disable'

/** What an admin does with an account: credit and a look as its owner at once, the rest behind a button. */
export function AccountActions({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('accounts')
  const queries = useQueryClient()
  const guarded = useGuarded()
  const mayCredit = useMay('books')
  const mayChange = useMay('admin')
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const status = useVersionedEdit<AccountView['status']>({
    version: account.version,
    send: (next, version) => guarded(() => changeAccount(account.id, { status: next }, version)),
    onSettled: () => {
      close()
      void queries.invalidateQueries({ queryKey: ['accounts'] })
    },
  })
  const Asking = asked === null || asked === 'disable' ? null : DIALOGS[asked]
  return (
    <>
      {mayChange && !account.closed && account.role === 'user' && (
        <Button icon="eye" onClick={() => setAsked('see')}>
          {t.seeAs.action}
        </Button>
      )}
      {mayCredit && (
        <Button look="primary" onClick={() => setAsked('credit')}>
          {t.credit.action}
        </Button>
      )}
      {mayChange && !account.closed && (
        <MoreActions account={account} onAsk={setAsked} onEnable={() => status.press('active')} />
      )}
      {status.dialog}
      {Asking !== null && <Asking account={account} onClose={close} />}
      <ConfirmDialog
        isOpen={asked === 'disable'}
        title={t.disabling.title(account.email)}
        action={t.disable}
        isDangerous
        isBusy={status.isPending}
        onConfirm={() => status.press('disabled')}
        onClose={close}
      >
        {t.disabling.text}
      </ConfirmDialog>
    </>
  )
}

/** The menu of an account, what is dangerous at its end; the server asks for credentials again before most of it. */
function MoreActions(props: { readonly account: AccountView; onAsk(asked: Asked): void; onEnable(): void }): ReactNode {
  const t = useTexts('accounts')
  const { closing, moreActions } = useTexts('oneAccount')
  const { data: me } = useQuery(meQuery)
  const guarded = useGuarded()
  const toast = useToast()
  const problemText = useProblemText()
  const { account, onAsk } = props
  const link = useMutation({
    gcTime: 0,
    mutationFn: () => guarded(() => makeResetLink(account.id)),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
  })
  const isOwn = me?.id === account.id
  const rows: readonly (MenuRow | false)[] = [
    !account.managed && { icon: 'account', text: t.changeRole.action, onSelect: () => onAsk('role') },
    { icon: 'mail', text: t.reset, onSelect: () => link.mutate() },
    account.status === 'active'
      ? { icon: 'pause', text: t.disable, onSelect: () => onAsk('disable') }
      : { icon: 'play', text: t.enable, onSelect: props.onEnable },
    !account.managed &&
      !isOwn && { icon: 'trash', text: closing.action, isDangerous: true, onSelect: () => onAsk('close') },
  ]
  return (
    <>
      <Menu onNear={MenuRows.load} trigger={<IconButton icon="more" label={moreActions} />}>
        <MenuRows rows={rows.filter((row) => row !== false)} />
      </Menu>
      <Dialog isOpen={link.data !== undefined} size="small" title={t.link.title} onClose={link.reset}>
        {link.data !== undefined && <ShownLink link={link.data} />}
      </Dialog>
    </>
  )
}
