import type { ReactNode } from 'react'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { GroupField } from './group-field.tsx'
import type { KeyField } from './key-draft.ts'
import { QuotaFields } from './limit-fields.tsx'
import { NameField } from './name-field.tsx'
import type { KeyFormOptions, KeyFormState } from './use-key-form.ts'
import { ValidityField } from './validity-field.tsx'

/** The four questions about a key that most people answer: its name, its group, how long it works, and what it may spend. */
export function KeyQuestions(props: {
  readonly form: KeyFormState
  readonly before: KeyFormOptions<unknown>['before']
  readonly hasFocusAtFirst: boolean
}): ReactNode {
  const { before } = props
  const { draft, change, isProposed, setName, groupsPage, mostDays, rule, submission } = props.form
  return (
    <>
      <NameField
        value={draft.name}
        onValue={setName}
        keyId={before?.keyId}
        isProposed={isProposed}
        hasFocusAtFirst={props.hasFocusAtFirst}
        error={submission.errorOf('name')}
      />
      <QueryView query={groupsPage} skeleton={<Skeleton className="h-22 rounded-lg" />}>
        {({ data }) => (
          <GroupField
            groups={data}
            value={draft.group}
            onValue={(group) => change({ group })}
            error={submission.errorOf('group')}
          />
        )}
      </QueryView>
      {mostDays === undefined ? (
        <Skeleton className="h-21 rounded-lg" />
      ) : (
        <ValidityField
          value={draft.validity}
          onValue={(validity) => change({ validity })}
          unchanged={before?.expiresAt ?? null}
          mostDays={mostDays}
          error={submission.errorOf('expires_at')}
        />
      )}
      <QuotaFields draft={draft} change={change} rule={rule} errorOf={(field: KeyField) => submission.errorOf(field)} />
    </>
  )
}
