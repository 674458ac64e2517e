/** What drew a shard ended for an unknown reason: what it was drawing is lost. */
export class DrawerLost extends Error {
  /** The name of this class. */
  override readonly name = "DrawerLost";
}
