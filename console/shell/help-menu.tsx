import type { ReactNode } from 'react'
import { loadShellTexts } from '../dictionaries/shell.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Menu } from '../ui/menu.tsx'

const HelpItems = lazyPart(async () => {
  const [file] = await Promise.all([import('./help-items.tsx'), loadShellTexts()])
  return file
})

/** Everything that explains: documentation, error codes, shortcuts, what is new, which version this is. */
export function HelpMenu({ onShortcuts }: { onShortcuts(): void }): ReactNode {
  const t = useSharedTexts()
  return (
    <Menu onNear={HelpItems.load} align="end" trigger={<IconButton icon="help" label={t.help} />}>
      <HelpItems onShortcuts={onShortcuts} />
    </Menu>
  )
}
