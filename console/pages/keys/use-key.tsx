import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import type { KeySetup } from '../../../src/contract/setup.ts'
import { keySetupQuery } from '../../api/key-setup.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Drawer } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { ImportGuide } from './set-up/import-guide.tsx'
import { SecretEntry } from './set-up/secret-entry.tsx'
import { usableSecret } from './set-up/secret-fit.ts'
import { SetUpGuide } from './set-up/set-up-guide.tsx'
import { useListedModels } from './set-up/listed-models.ts'

interface UseKeyProps {
  readonly apiKey: ApiKeyView
  onClose(): void
}

/** How each client is set up with a key. */
export function UseKey(props: UseKeyProps): ReactNode {
  const t = useTexts('keys')
  return (
    <KeyDrawer {...props} title={t.setUp.drawerTitle(props.apiKey.name)}>
      {(setup, secret) => (
        <>
          <SetUpGuide setup={setup} secret={secret} />
          <Notice>{t.setUp.keepIt}</Notice>
        </>
      )}
    </KeyDrawer>
  )
}

/** Links that put a key into a program. */
export function ImportKey(props: UseKeyProps): ReactNode {
  const t = useTexts('keys')
  return (
    <KeyDrawer {...props} title={t.importing.drawerTitle(props.apiKey.name)}>
      {(setup, secret) => <ImportGuide setup={setup} secret={secret} />}
    </KeyDrawer>
  )
}

/** A drawer about a key whose secret may be pasted: it stays in this component, and goes with it. */
function KeyDrawer(
  props: UseKeyProps & {
    readonly title: string
    children(setup: KeySetup, secret: string | null): ReactNode
  },
): ReactNode {
  const { apiKey } = props
  const setup = useQuery(keySetupQuery(apiKey.id, useListedModels()))
  const [pasted, setPasted] = useState('')
  return (
    <Drawer isOpen onClose={props.onClose} title={props.title}>
      <div className="grid grid-cols-1 gap-5">
        <SecretEntry apiKey={apiKey} pasted={pasted} onPasted={setPasted} />
        <QueryView query={setup} skeleton={<SkeletonLines count={9} />}>
          {(data) => (
            <Suspense fallback={<SkeletonLines count={9} />}>
              {props.children(data, usableSecret(pasted, apiKey))}
            </Suspense>
          )}
        </QueryView>
      </div>
    </Drawer>
  )
}
