import { useMemo, type ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import type { UseOfGroup } from '../../../api/group-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { formatMultiplier } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { UpstreamNames } from './group-upstreams.tsx'
import type { GroupStep } from './group-menu.tsx'

const GroupMenu = lazyPart(() => import('./group-menu.tsx'))

export interface ListedGroup {
  readonly group: GroupView
  /** null: not known yet. */
  readonly use: UseOfGroup | null
}

/** `places`: of the longest amount in the list. */
export function useGroupColumns(
  onStep: (step: GroupStep, group: GroupView) => void,
  places: number,
): readonly Column<ListedGroup>[] {
  const t = useTexts('groups')
  const { roles } = useTexts('staff')
  const format = useFormat()
  const mayChange = useMay('catalogue')
  return useMemo((): readonly Column<ListedGroup>[] => {
    const known = (use: UseOfGroup | null, show: (use: UseOfGroup) => ReactNode): ReactNode =>
      use === null ? <span className="text-ink-3">–</span> : show(use)
    const actions: Column<ListedGroup> = {
      id: 'actions',
      header: t.columns.actions,
      role: 'actions',
      width: 'w-14',
      cell: ({ group }) => (
        <span className="flex justify-end">
          <Menu onNear={GroupMenu.load} trigger={<IconButton icon="more" label={t.actionsOf(group.name)} />}>
            <GroupMenu group={group} onStep={onStep} />
          </Menu>
        </span>
      ),
    }
    return [
      {
        id: 'name',
        header: t.columns.name,
        role: 'title',
        cell: ({ group }) => (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <CutName text={group.name} className="max-w-56" />
            {!group.enabled && <Badge tone="warn">{t.disabledBadge}</Badge>}
            {group.managed && <Badge>{t.managedBadge}</Badge>}
          </span>
        ),
      },
      {
        id: 'multiplier',
        header: t.columns.multiplier,
        align: 'end',
        width: 'w-28',
        cell: ({ group }) => formatMultiplier(group.multiplier),
      },
      {
        id: 'open',
        header: t.columns.open,
        width: 'w-32 2xl:w-64',
        cell: ({ group }) => (
          <span className="[overflow-wrap:break-word]">
            {group.open
              ? t.openTo.all
              : [t.openTo.subscribers, ...group.open_to_roles.map((role) => roles[role])].join(t.openTo.and)}
          </span>
        ),
      },
      {
        id: 'models',
        header: t.columns.models,
        align: 'end',
        width: 'w-28',
        cell: ({ group: { models, model_count: count } }) => (
          <span title={models.includes('*') ? t.availableHint : `${t.availableHint}: ${format.list(models)}`}>
            {models.includes('*')
              ? t.allModels(format.number(count))
              : t.someModels(format.number(count), format.number(models.length))}
          </span>
        ),
      },
      {
        id: 'upstreams',
        header: t.columns.upstreams,
        width: 'w-44 2xl:w-72',
        cell: ({ group: { upstreams } }) => <UpstreamNames names={upstreams ?? []} />,
      },
      {
        id: 'keys',
        header: t.columns.keys,
        align: 'end',
        width: 'w-28',
        cell: ({ use }) =>
          known(use, ({ keys, fallback_keys: fallback }) => (
            <>
              {format.number(keys)}
              {fallback > 0 && (
                <span
                  className="block text-xs whitespace-nowrap text-ink-3"
                  title={t.fallbackKeys(fallback, format.number(fallback))}
                >
                  {t.asFallback(format.number(fallback))}
                </span>
              )}
            </>
          )),
      },
      {
        id: 'accounts',
        header: t.columns.accounts,
        align: 'end',
        width: 'w-28',
        cell: ({ use }) => known(use, ({ accounts }) => format.number(accounts)),
      },
      {
        id: 'charged',
        header: t.columns.charged,
        align: 'end',
        width: 'w-36',
        cell: ({ use }) =>
          known(use, ({ charged, requests }) => (
            <AlignedAmount
              shown={requests === 0 ? '–' : format.money(charged)}
              places={places}
              title={t.requests(format.number(requests))}
            />
          )),
      },
      ...(mayChange ? [actions] : []),
    ]
  }, [roles, t, format, mayChange, onStep, places])
}
