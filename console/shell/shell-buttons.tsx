import type { ReactNode } from 'react'
import { withShellTexts } from '../dictionaries/shell.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Menu } from '../ui/menu.tsx'
import { IS_MAC } from './shell-keys.ts'

const MOST_SHOWN = 9

/** Opens the notifications, and says how many are unread. */
export function BellButton(props: { readonly unread: number; onNear(): void; onPress(): void }): ReactNode {
  const t = useSharedTexts()
  const { unread } = props
  return (
    <span className="relative">
      <IconButton
        icon="bell"
        label={t.notifications(unread)}
        onPointerEnter={props.onNear}
        onFocus={props.onNear}
        onClick={props.onPress}
      />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute bottom-1/2 left-1/2 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-xs leading-none font-medium whitespace-nowrap text-accent-ink"
        >
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      )}
    </span>
  )
}

const HelpItems = lazyPart(withShellTexts(() => import('./help-items.tsx')))

/** Everything that explains: documentation, error codes, shortcuts, what is new, which version this is. */
export function HelpMenu({ onShortcuts }: { onShortcuts(): void }): ReactNode {
  const t = useSharedTexts()
  return (
    <Menu onNear={HelpItems.load} align="end" trigger={<IconButton icon="help" label={t.help} />}>
      <HelpItems onShortcuts={onShortcuts} />
    </Menu>
  )
}

/** Opens the command palette, and says by which key it opens, too. */
export function PaletteButton(props: { readonly look: 'field' | 'icon'; onNear(): void; onPress(): void }): ReactNode {
  const t = useSharedTexts()
  const keys = IS_MAC ? 'Meta+K' : 'Control+K'
  const near = { onPointerEnter: props.onNear, onFocus: props.onNear }
  if (props.look === 'icon') {
    return <IconButton icon="search" label={t.search} aria-keyshortcuts={keys} {...near} onClick={props.onPress} />
  }
  return (
    <button
      type="button"
      aria-keyshortcuts={keys}
      {...near}
      onClick={props.onPress}
      className="control flex items-center gap-2 text-left text-ink-3 hover:text-ink"
    >
      <Icon name="search" />
      <span className="flex-1 truncate">{t.search}</span>
      <span aria-hidden="true" className="flex gap-0.5">
        <Kbd>{IS_MAC ? '⌘' : 'Ctrl'}</Kbd>
        <Kbd>K</Kbd>
      </span>
    </button>
  )
}
