import { useMemo } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { KeyActions } from './key-actions.tsx'
import {
  ActivityCell,
  type KeyActivities,
  ExpiryCell,
  GroupCell,
  LimitsCell,
  NameCell,
  QuotaCell,
  SpendCell,
  StatusCell,
} from './key-cells.tsx'
import type { KeyStep } from './key-step.ts'
import type { Column } from '../../table/column.ts'
import { columnsOf } from '../../table/columns-of.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** The columns of the table with the keys. `onStep` and `activities` should stay the same from one drawing to the next; `places`: of the longest
 * amount on the page; `room`: of most behind their last digit. */
export function useKeyColumns(
  onStep: (step: KeyStep) => void,
  activities: KeyActivities,
  { places, room }: { readonly places: number; readonly room: number },
): readonly Column<ApiKeyView>[] {
  const t = useTexts('keys')
  const format = useFormat()
  return useMemo(
    () =>
      columnsOf<ApiKeyView, keyof typeof t.columns>(t.columns, {
        name: { role: 'title', sort: 'name', cell: (key) => <NameCell apiKey={key} /> },
        status: { onPhone: 'state', cell: (key) => <StatusCell apiKey={key} /> },
        group: { cell: (key) => <GroupCell apiKey={key} /> },
        spent: {
          ...latest('spent'),
          align: 'end',
          room,
          onPhone: 'figure',
          cell: (key) => <SpendCell apiKey={key} places={places} />,
        },
        limit: {
          isEmptyFor: ({ quota_limit: limit }) => limit === null,
          onPhone: 'plain',
          cell: (key) => <QuotaCell apiKey={key} />,
        },
        activity: { cell: (key) => <ActivityCell apiKey={key} activities={activities} /> },
        lastUsed: {
          ...latest('last_used_at'),
          onPhone: 'figure',
          cell: (key) => <RelativeTime time={key.last_used_at} never={t.neverUsed} />,
        },
        expires: { ...latest('expires_at'), cell: (key) => <ExpiryCell apiKey={key} /> },
        created: {
          ...latest('created_at'),
          isHiddenAtFirst: true,
          cell: (key) => <RelativeTime time={key.created_at} />,
        },
        models: {
          isHiddenAtFirst: true,
          cell: (key) => (key.allowed_models.length === 0 ? t.allModels : format.list(key.allowed_models)),
        },
        limits: { isHiddenAtFirst: true, cell: (key) => <LimitsCell apiKey={key} /> },
        actions: { role: 'actions', cell: (key) => <KeyActions apiKey={key} onStep={onStep} /> },
      }),
    [t, format, onStep, activities, places, room],
  )
}

/** A column of a field by which the API sorts, the most or the latest first. */
function latest(field: string) {
  return { id: field, sort: field, sortsFirst: 'desc' } as const
}
