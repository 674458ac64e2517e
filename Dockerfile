# dpcheck as a command: docker build -t dpcheck . && docker run --rm -v "$PWD:/work" dpcheck audit --help
# It has Node. For programs in another language, begin an image of your own with FROM dpcheck and add what they need.
FROM node:22-slim AS build
WORKDIR /source
COPY . .
RUN npx --yes deno@2.9.6 task build npm
RUN npm pack --pack-destination . ./out/npm/dp ./out/npm/dpcheck

FROM node:22-slim
WORKDIR /archive
COPY --from=build /source/*.tgz ./
RUN npm install --global ./*.tgz bullmq@6 ioredis@6
WORKDIR /work
USER node
ENTRYPOINT ["dpcheck"]
