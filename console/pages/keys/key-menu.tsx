import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { changeKey } from '../../api/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useChange } from '../../forms/use-change.ts'
import { PATHS } from '../../paths.ts'
import { MenuItem, MenuLine, MenuLink } from '../../ui/menu-items.tsx'
import type { KeyStep } from './key-step.ts'
import { KEY_TEST } from './key-test-hash.ts'

/** The menu of one key, loaded when the first is opened. Keys from the file can be looked at, used, and disabled. */
export default function KeyMenu(props: { readonly apiKey: ApiKeyView; onStep(step: KeyStep): void }): ReactNode {
  const t = useTexts('keys')
  const { apiKey, onStep } = props
  return (
    <>
      <MenuItem icon="terminal" onSelect={() => onStep({ kind: 'use', apiKey })}>
        {t.use}
      </MenuItem>
      <MenuItem icon="import" onSelect={() => onStep({ kind: 'import', apiKey })}>
        {t.import}
      </MenuItem>
      <MenuLink icon="check" link={<Link to={PATHS.key} params={{ keyId: apiKey.id }} hash={KEY_TEST} />}>
        {t.test}
      </MenuLink>
      <MenuLine />
      {apiKey.managed ? (
        <>
          <p className="max-w-64 px-2.5 py-1.5 text-sm text-ink-2">{t.managedWhy}</p>
          <StatusItem {...props} />
        </>
      ) : (
        <ChangingItems {...props} />
      )}
    </>
  )
}

function ChangingItems(props: { readonly apiKey: ApiKeyView; onStep(step: KeyStep): void }): ReactNode {
  const t = useTexts('keys')
  const { apiKey, onStep } = props
  return (
    <>
      <MenuItem icon="edit" onSelect={() => onStep({ kind: 'edit', apiKey })}>
        {t.edit}
      </MenuItem>
      <MenuItem icon="rotate" onSelect={() => onStep({ kind: 'rotate', apiKey })}>
        {t.rotate}
      </MenuItem>
      <StatusItem {...props} />
      <MenuLine />
      <MenuItem icon="trash" isDangerous onSelect={() => onStep({ kind: 'delete', apiKey })}>
        {t.delete}
      </MenuItem>
    </>
  )
}

function StatusItem(props: { readonly apiKey: ApiKeyView; onStep(step: KeyStep): void }): ReactNode {
  const t = useTexts('keys')
  const { apiKey, onStep } = props
  const enable = useEnabling(apiKey)
  return apiKey.status === 'disabled' ? (
    <MenuItem icon="play" onSelect={enable}>
      {t.enable}
    </MenuItem>
  ) : (
    <MenuItem icon="pause" onSelect={() => onStep({ kind: 'disable', apiKey })}>
      {t.disable}
    </MenuItem>
  )
}

/** Enabling is harmless, so it is not asked about. */
function useEnabling(apiKey: ApiKeyView): () => void {
  const t = useTexts('keys').confirm
  const enable = useChange({
    send: () => changeKey(apiKey.id, { status: 'active' }),
    done: () => t.enabled(apiKey.name),
    refreshes: ['keys'],
  })
  return () => enable.mutate()
}
