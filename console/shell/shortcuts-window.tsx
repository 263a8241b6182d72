import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { useShellTexts } from '../dictionaries/shell.ts'
import { PATHS } from '../paths.ts'
import { usePreferences } from '../preferences.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Notice } from '../ui/notice.tsx'
import { GO, IS_MAC } from './shell-keys.ts'

interface WindowProps {
  readonly isOpen: boolean
  onClose(): void
}

/** Every key that does something wherever one is. */
export function ShortcutsWindow({ isOpen, onClose }: WindowProps): ReactNode {
  const t = useShellTexts().shortcuts
  const shared = useSharedTexts()
  const { hasShortcuts } = usePreferences()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.title} description={t.lead}>
      <div className="grid gap-4">
        {!hasShortcuts && <Notice>{t.areOff}</Notice>}
        <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          <KeyList title={t.anywhere}>
            <KeyRow keys={[IS_MAC ? '⌘' : 'Ctrl', 'K']} text={t.palette} />
            <KeyRow keys={['/']} text={t.search} />
            <KeyRow keys={['n']} text={t.new} />
            <KeyRow keys={['?']} text={t.list} />
            <KeyRow keys={['Esc']} text={t.close} />
          </KeyList>
          <KeyList title={t.go}>
            {Object.entries(GO).map(([key, page]) => (
              <KeyRow key={key} keys={['g', key]} text={shared.pages[page]} />
            ))}
          </KeyList>
        </div>
        <p className="text-sm text-ink-3">
          <Link to={PATHS.account} onClick={onClose} className="text-accent hover:underline">
            {t.change}
          </Link>
        </p>
      </div>
    </Dialog>
  )
}

function KeyList({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section>
      <h3 className="mb-1.5 text-sm text-ink-3">{title}</h3>
      <dl className="grid gap-1">{children}</dl>
    </section>
  )
}

/** What it does stands first, for those who hear it. */
function KeyRow({ keys, text }: { readonly keys: readonly string[]; readonly text: string }): ReactNode {
  return (
    <div className="flex items-center justify-between gap-4">
      <dt>{text}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </dd>
    </div>
  )
}
