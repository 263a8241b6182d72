import type { ReactNode } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { KeyStep } from './key-step.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const KeyMenu = lazyPart(() => import('./key-menu.tsx'))

/** What can be done with one key: the most usual at once, the rest behind a button. */
export function KeyActions(props: { readonly apiKey: ApiKeyView; onStep(step: KeyStep): void }): ReactNode {
  const t = useTexts('keys')
  const { apiKey, onStep } = props
  return (
    <div className="flex justify-end">
      <IconButton icon="terminal" label={t.useOf(apiKey.name)} onClick={() => onStep({ kind: 'use', apiKey })} />
      <Menu onNear={KeyMenu.load} trigger={<IconButton icon="more" label={t.actionsOf(apiKey.name)} />}>
        <KeyMenu {...props} />
      </Menu>
    </div>
  )
}
