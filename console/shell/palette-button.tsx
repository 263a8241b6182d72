import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { IS_MAC } from './shell-keys.ts'

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
