import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { groupsQuery } from '../../api/groups.ts'
import { changeKey } from '../../api/keys.ts'
import { modelsQuery } from '../../api/models.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { changeOf, draftOf } from './form/key-draft.ts'
import { KeyForm } from './form/key-form.tsx'
import { type SuggestedChange, suggestedChange } from './form/suggested-change.ts'
import type { KeyFix } from './key-step.ts'

interface Props {
  readonly apiKey: ApiKeyView
  /** What the form is opened for: the change that lets the request pass is filled in, and not saved. */
  readonly fix?: KeyFix | undefined
  onClose(): void
}

/** Changes the settings of a key. Only what was changed is sent. */
export function EditKey(props: Props): ReactNode {
  const { apiKey, fix } = props
  const t = useTexts('keys')
  return (
    <Dialog isOpen onClose={props.onClose} title={t.form.editTitle(apiKey.name)}>
      {fix === undefined ? (
        <EditForm {...props} suggested={null} />
      ) : (
        <Suggested apiKey={apiKey} fix={fix}>
          {(suggested) => <EditForm {...props} suggested={suggested} />}
        </Suggested>
      )}
    </Dialog>
  )
}

/** Another group is suggested by what the groups serve, so the form waits for those. */
function Suggested(props: {
  readonly apiKey: ApiKeyView
  readonly fix: KeyFix
  children(suggested: SuggestedChange): ReactNode
}): ReactNode {
  const isGroup = props.fix.field === 'group'
  const groups = useQuery({ ...groupsQuery, enabled: isGroup })
  const models = useQuery({ ...modelsQuery, enabled: isGroup })
  if (isGroup && (groups.isPending || models.isPending)) return <SkeletonLines count={6} />
  return props.children(
    suggestedChange(props.fix.field, {
      key: props.apiKey,
      facts: props.fix.facts,
      groups: groups.data?.data ?? [],
      models: models.data ?? [],
    }),
  )
}

function EditForm({ apiKey, onClose, suggested }: Props & { readonly suggested: SuggestedChange | null }): ReactNode {
  const t = useTexts('keys')
  const fixing = useTexts('refusals').fix
  const shared = useSharedTexts()
  const queryClient = useQueryClient()
  const toast = useToast()
  const filledIn = suggested?.change ?? null
  // As it was when the form was opened: what the draft was made of.
  const [version] = useState(apiKey.version)
  return (
    <KeyForm
      keptAs={`key ${apiKey.id} ${version}`}
      before={{ keyId: apiKey.id, draft: { ...draftOf(apiKey), ...filledIn }, expiresAt: apiKey.expires_at }}
      opensAt={suggested?.at}
      note={filledIn === null ? undefined : fixing.suggested}
      submitLabel={shared.save}
      onCancel={onClose}
      send={async (draft, { version: overwritten }) => {
        const change = changeOf(draft, apiKey, Date.now())
        return Object.keys(change).length === 0 ? null : changeKey(apiKey.id, change, overwritten ?? version)
      }}
      onTheirs={() => {
        void queryClient.invalidateQueries({ queryKey: ['keys'] })
        onClose()
      }}
      onDone={(saved) => {
        toast({ text: saved === null ? t.form.unchanged : t.form.saved(saved.name) })
        void queryClient.invalidateQueries({ queryKey: ['keys'] })
        void queryClient.invalidateQueries({ queryKey: ['diagnosis'] })
        onClose()
      }}
    />
  )
}
