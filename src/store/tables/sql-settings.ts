import { SqlStore } from '../engine/database.ts'
import type { LockableSettings } from '../../entitlement/administered-stores.ts'
import type { SettingStore } from '../store.ts'

export class SqlSettingStore extends SqlStore implements SettingStore, LockableSettings {
  async read(name: string): Promise<string | null> {
    const row = await this.database.kysely
      .selectFrom('settings')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst()
    return row?.value ?? null
  }

  async writeOnce(name: string, value: string): Promise<string> {
    await this.database.kysely
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    return (await this.read(name)) ?? value
  }

  async write(name: string, value: string): Promise<void> {
    await this.database.kysely
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  }

  async lock(name: string, initial: string): Promise<string> {
    // An update that changes nothing locks the row, also where another transaction is about to make it.
    const row = await this.database.kysely
      .insertInto('settings')
      .values({ name, value: initial })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((stored) => ({ value: stored.ref('settings.value') })),
      )
      .returning('value')
      .executeTakeFirstOrThrow()
    return row.value
  }
}
