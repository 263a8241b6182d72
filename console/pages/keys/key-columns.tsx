import { useMemo } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import type { Column } from '../../table/column.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ActivityCell, type KeyActivities } from './activity-cell.tsx'
import { KeyActions } from './key-actions.tsx'
import { ExpiryCell, GroupCell, LimitsCell, NameCell, SpendCell, StatusCell } from './key-cells.tsx'
import type { KeyStep } from './key-step.ts'

/** The columns of the table with the keys. `onStep` and `activities` should stay the same from one drawing to the next; `places`: of the longest
 * amount on the page. */
export function useKeyColumns(
  onStep: (step: KeyStep) => void,
  activities: KeyActivities,
  places: number,
): readonly Column<ApiKeyView>[] {
  const t = useTexts('keys')
  const format = useFormat()
  return useMemo(
    () => [
      { id: 'name', header: t.columns.name, role: 'title', sort: 'name', cell: (key) => <NameCell apiKey={key} /> },
      { id: 'status', header: t.columns.status, cell: (key) => <StatusCell apiKey={key} /> },
      { id: 'group', header: t.columns.group, cell: (key) => <GroupCell apiKey={key} /> },
      {
        id: 'spent',
        header: t.columns.spent,
        sort: 'spent',
        sortsFirst: 'desc',
        align: 'end',
        cell: (key) => <SpendCell apiKey={key} places={places} />,
      },
      {
        id: 'activity',
        header: t.activity.column,
        cell: (key) => <ActivityCell apiKey={key} activities={activities} />,
      },
      {
        id: 'last_used_at',
        header: t.columns.lastUsed,
        sort: 'last_used_at',
        sortsFirst: 'desc',
        cell: (key) => <RelativeTime time={key.last_used_at} never={t.neverUsed} />,
      },
      {
        id: 'expires_at',
        header: t.columns.expires,
        sort: 'expires_at',
        sortsFirst: 'desc',
        cell: (key) => <ExpiryCell apiKey={key} />,
      },
      {
        id: 'created_at',
        header: t.columns.created,
        sort: 'created_at',
        sortsFirst: 'desc',
        isHiddenAtFirst: true,
        cell: (key) => <RelativeTime time={key.created_at} />,
      },
      {
        id: 'models',
        header: t.columns.models,
        isHiddenAtFirst: true,
        cell: (key) => (key.allowed_models.length === 0 ? t.allModels : format.list(key.allowed_models)),
      },
      { id: 'limits', header: t.columns.limits, isHiddenAtFirst: true, cell: (key) => <LimitsCell apiKey={key} /> },
      {
        id: 'actions',
        header: t.columns.actions,
        role: 'actions',
        cell: (key) => <KeyActions apiKey={key} onStep={onStep} />,
      },
    ],
    [t, format, onStep, activities, places],
  )
}
