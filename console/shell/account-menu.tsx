import type { ReactNode } from 'react'
import type { Me } from '../../src/contract/me.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'

const AccountMenuItems = lazyPart(() => import('./account-menu-items.tsx'))

/** Who is signed in, and what belongs to them: keys, account, language, theme, the way out. */
export function AccountMenu({ me, side }: { readonly me: Me; readonly side: 'top' | 'bottom' }): ReactNode {
  const t = useSharedTexts()
  const format = useFormat()
  return (
    <Menu
      onNear={AccountMenuItems.load}
      side={side}
      align={side === 'top' ? 'start' : 'end'}
      trigger={
        <button
          type="button"
          className="flex min-h-11 min-w-11 items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-sunken aria-expanded:bg-sunken lg:w-full"
        >
          <span className="sr-only">{t.accountMenu(me.email)}</span>
          <span
            aria-hidden="true"
            className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent text-sm font-semibold text-accent-ink uppercase"
          >
            {(me.name === '' ? me.email : me.name).slice(0, 1)}
          </span>
          {/* Said already: the name of the button has the address. */}
          <span aria-hidden="true" className="hidden min-w-0 flex-1 lg:block">
            <span className="block truncate font-medium">{me.name === '' ? me.email : me.name}</span>
            <span className="block truncate text-xs text-ink-3">
              {t.balance} {format.money(me.balance)}
            </span>
          </span>
          <Icon name="up" className="hidden text-ink-3 lg:block" />
        </button>
      }
    >
      <AccountMenuItems me={me} />
    </Menu>
  )
}
