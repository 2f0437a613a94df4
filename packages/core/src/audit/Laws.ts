/** Every law of the books. Each room declares the laws of its own tables in its `<Room>Room.ts`. */
export { laws } from "../CommerceRooms.ts"
