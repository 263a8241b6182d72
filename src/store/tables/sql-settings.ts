import type { Database } from '../engine/database.ts'
import type { SettingStore } from '../store.ts'

export class SqlSettingStore implements SettingStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async read(name: string): Promise<string | null> {
    const row = await this.#database.kysely
      .selectFrom('settings')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst()
    return row?.value ?? null
  }

  async writeOnce(name: string, value: string): Promise<string> {
    await this.#database.kysely
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    return (await this.read(name)) ?? value
  }

  async write(name: string, value: string): Promise<void> {
    await this.#database.kysely
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  }
}
