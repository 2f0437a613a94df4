/** Every law of the books. A room that holds money, stock or a promise declares its own in its `<Room>Room.ts`. */
export { laws } from "../CommerceRooms.ts"
